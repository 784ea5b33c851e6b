/** The exit codes of all commands, except for those of the operator in `evenkeel run`. docs/cli.md explains them. */
export const doneCode = 0;
export const failedCode = 1;
/** The exit codes that a shell shows after a signal: 128 + its number. */
export const interruptedCode = 130;
export const abandonedCode = 141;
