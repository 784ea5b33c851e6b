/** The exit codes that a shell shows after a signal: 128 + its number. */
export const interruptedCode = 130;
export const abandonedCode = 141;
