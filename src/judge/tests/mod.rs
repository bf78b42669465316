//! Whole ways through the room, against a server of our own that answers as told, faults included.

