"""Speech to text: Whisper as a streaming LiveKit STT.

`plugin` is what LiveKit sees. A stream's sound is in an `audio_buffer`, cut into `segments`, decoded by `decode_loop`
as `scheduler` gives it a turn; `recognizer` runs `whisper`, `hallucinations` and `repetition` refuse what nobody
said, and `local_agreement` settles words while the candidate goes on.
"""
