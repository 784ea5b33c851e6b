import { printable, withoutTokens } from '@evenkeel/core';

/** The limits of a message of a user or a server in a report. */
const longest = 1000;
const mostLines = 10;

/**
 * Returns a message without bearer tokens and terminal escapes, cut to 10 lines and 1000 characters. Lines after the first are indented,
 * so that they do not look like lines of the report.
 */
export function quotedMessage(text: string, indent: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  const lines = withoutTokens(cut).split(/\r?\n/);
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines - 1), '…'] : lines;
  return shown.map((line) => printable(line)).join(`\n${indent}`);
}
