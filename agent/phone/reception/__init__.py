"""Reception of a call: greeting, PIN, and what is to be said before an interview begins.

`dialogue` decides, a pure state machine; `receptionist` carries out, with the mouth and ears of `sounds`; `admission`
finds or creates the interview that a caller may have. The wording is in `wording.md`.
"""
