"""Viva's voice side beside a default local cascade."""
