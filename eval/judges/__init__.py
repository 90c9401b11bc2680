"""Judges (LLM-as-a-judge): models that judge as people do, and scores that a sample of people's answers corrects."""
