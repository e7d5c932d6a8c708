"""Encoders: fine-tuning MiniLM, and writing it as ONNX."""
