"""The domain: what all rooms speak of, each fact in one shape, and how a file that several of them share is opened.

It imports nothing of Viva's.
"""
