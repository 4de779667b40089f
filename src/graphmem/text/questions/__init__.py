"""What a question asks for, read without a model, in English and Chinese."""
