"""Language: what a text's terms, sentences and speakers are, in English and Chinese. Pure functions."""
