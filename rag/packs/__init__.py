"""Question packs: YAML files of questions with their rubrics. `pack` reads one, `lint` names its faults."""
