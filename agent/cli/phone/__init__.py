"""Commands of the phone: PINs, booked calls, and livekit-sip's set-up."""
