import { constants, copyFile, link as hardLink } from 'node:fs/promises';

/** Creates a hard link; fails if the name is taken. */
export type Link = (from: string, to: string) => Promise<void>;

/**
 * Gives a file a second name, unless the name is taken. If several processes do this at the same time, one succeeds. Readers never see
 * an incomplete file.
 */
export async function isLinked(draft: string, path: string, link: Link = hardLink): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!withoutLinks.includes(code)) throw error;
    return await isCopied(draft, path);
  }
}

/** Error codes of file systems without links, such as those of memory cards. On these, readers may see an incomplete file. */
const withoutLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

async function isCopied(draft: string, path: string): Promise<boolean> {
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
