"""Small sentence encoders of Viva's own: fine-tuned from MiniLM, shipped as int8 ONNX, run by onnxruntime.

`runtime` is what an interview needs. `training/encoders/` makes such a model; that needs torch, and nothing that an
interview loads imports it.
"""

from graph.encoders.runtime import Encoder, EncoderError

__all__ = ["Encoder", "EncoderError"]
