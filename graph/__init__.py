"""The shared vocabulary: facts, relations, their durable store and the views on them."""
