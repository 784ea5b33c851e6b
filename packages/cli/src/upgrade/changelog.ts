import { compareVersions, completeVersion } from './framework-version.ts';

/** What changed in a version, in the words of the changelog. */
export interface ReleaseNotes {
  readonly version: string;
  readonly sections: readonly {
    /** `Added`, `Changed`, `Fixed`, `Removed` or `Security`. */
    readonly title: string;
    /** Each in one line of Markdown. */
    readonly entries: readonly string[];
  }[];
}

/** Returns the notes of the versions after `from`, up to `to`, with the newest first as in the changelog. */
export function releaseNotes(changelog: string, from: string, to: string): ReleaseNotes[] {
  return partsOf(changelog, '## ').flatMap(({ title, text }) => {
    const [, name = ''] = /^\[?([^\s\]]+)/.exec(title) ?? [];
    const version = completeVersion(name);
    if (version === undefined) return [];
    if (compareVersions(version, from) <= 0 || compareVersions(version, to) > 0) return [];
    const sections = partsOf(text, '### ').map((part) => ({ title: part.title, entries: entriesIn(part.text) }));
    return [{ version, sections: sections.filter(({ entries }) => entries.length > 0) }];
  });
}

/** The parts below headings of one level. */
function partsOf(text: string, mark: string): { readonly title: string; readonly text: string }[] {
  const [, ...parts] = `\n${text}`.split(`\n${mark}`);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title: title.trim(), text: lines.join('\n') };
  });
}

/** The items of the lists. Their lines are joined; headings below are ignored. */
function entriesIn(text: string): string[] {
  const entries: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const [, item] = /^- (.*)$/.exec(line) ?? [];
    if (item !== undefined) entries.push(item);
    else if (isOpen && line.startsWith(' ')) entries.push(`${entries.pop()} ${line.trim()}`);
    isOpen = item !== undefined || (isOpen && line.startsWith(' '));
  }
  return entries;
}
