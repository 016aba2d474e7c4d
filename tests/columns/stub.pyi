"""Code of a kind that is read by no interpreter. It goes on and on without a break, further and further to the right, until it is longer than any line may be in this place."""
