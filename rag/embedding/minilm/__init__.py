"""all-MiniLM-L6-v2 without torch: its graph ships with Viva, its weights come from the model's own folder.

`files` reads what a model's folder says about itself, `encoder` runs it with onnxruntime.
`training/encoders/minilm_to_onnx.py` makes `assets/minilm/graph.onnx` anew; it needs torch, and nothing that an
interview loads imports it.
"""
