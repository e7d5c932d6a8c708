"""Small sentence encoders of Viva's own: fine-tuned from MiniLM, shipped as int8 ONNX, run by onnxruntime.

`runtime` is what an interview needs. `fine_tuning` and `exporting` make such a model; they need torch, and nothing that
an interview loads imports them.
"""

from graph.encoders.runtime import Encoder, EncoderError

__all__ = ["Encoder", "EncoderError"]
