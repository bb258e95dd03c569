"""Draws and writes tool graphs for readers and for other programs: GraphML, a picture, and a page that can be searched."""
