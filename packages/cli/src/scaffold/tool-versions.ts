/** The versions of the other packages in a new project. A test compares them with those of this repository. */
export const toolVersions = {
  '@swc/core': '^1.16.22',
  '@swc/jest': '^0.2.39',
  '@types/node': '^24.0.0',
  'class-transformer': '^0.5.1',
  'class-validator': '^0.15.1',
  inversify: '^8.2.3',
  jest: '^30.5.2',
  'reflect-metadata': '^0.2.2',
  typescript: '^7.0.2',
} as const;
