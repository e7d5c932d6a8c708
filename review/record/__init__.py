"""The record: the events of every interview, appended and never changed."""
