"""Phone line: dial-in and dial-out for an interview."""
