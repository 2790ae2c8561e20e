// How much of a text the terminal takes and shows. What is beyond is cut, and that is said where it was cut.

/** An answer's own words, in UTF-16 units. */
export const MAX_WORDS = 100_000

/** A line of the line mode on a terminal, likewise: its editor draws all of it at each key. */
export const MAX_LINE = 20_000

/** A text of a question, in UTF-16 units and in lines. */
export const MAX_TEXT = 200_000, MAX_LINES = 5000
