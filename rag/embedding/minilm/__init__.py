"""all-MiniLM-L6-v2 without torch: its graph ships with Viva, its weights come from the model's own folder.

`folder` reads what a model's folder says about itself, `encoding` runs it with onnxruntime. `exporting` makes
`graph.onnx` anew; it needs torch, and nothing that an interview loads imports it.
"""
