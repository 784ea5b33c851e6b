// The changelog as text: the sections of its versions, from `## Unreleased` down.

/**
 * Returns the part that @evenkeel/cli contains, from which `evenkeel upgrade` prints what changed. It lacks the first version, to which
 * nobody can upgrade, and which is longer than the others.
 */
export function shippedChangelog(text) {
  const sections = sectionsOf(text).slice(1, -1);
  return sections.join('');
}

/** Returns the changelog in which what was not released yet belongs to a version. Throws if nothing is to be released. */
export function releasedChangelog(text, version, date) {
  const [before, unreleased, ...others] = sectionsOf(text);
  if (!unreleased?.startsWith('## Unreleased\n'))
    throw new Error('CHANGELOG.md: the first version must be "## Unreleased"');
  const content = unreleased.slice('## Unreleased\n'.length);
  if (content.trim() === '') throw new Error('CHANGELOG.md: nothing is listed below "## Unreleased"');
  return [before, '## Unreleased\n\n', `## ${version} (${date})\n`, content, ...others].join('');
}

/** Returns what the changelog says about a version; undefined if it has no section. */
export function notesOf(text, version) {
  const found = sectionsOf(text).find((section) => section.startsWith(`## ${version} `));
  return found?.slice(found.indexOf('\n') + 1).trim();
}

/** The text before the first version, and the versions. */
function sectionsOf(text) {
  return text.split(/^(?=## )/m);
}
