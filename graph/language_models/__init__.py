"""Language models behind one door: two tiers, typed tasks, and None whenever there is no usable reply.

`TieredModels` (in `pool`) is the real thing, `tasks` says what is asked of them. Whoever asks must have a path
without a model: no method raises for what a model does wrong.
"""

from graph.language_models.protocol import LanguageModels, Reply, Task, TextTask

__all__ = ["LanguageModels", "Reply", "Task", "TextTask"]
