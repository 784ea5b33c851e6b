/** The variables with which git commits on a machine without settings. */
export const gitIdentity: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};
