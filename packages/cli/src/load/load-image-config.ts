import { isJsonObject } from '@evenkeel/apimachinery/json';
import { didYouMean } from '@evenkeel/core';
import type { ImageConfig } from '../config.ts';

const options: readonly string[] = ['base', 'platforms'] satisfies readonly (keyof ImageConfig)[];

/**
 * Checks the option `image` of a configuration.
 *
 * @param problem is called for each mistake. If it is called, the returned value must not be used.
 */
export function loadImage(given: unknown, problem: (text: string) => void): ImageConfig {
  if (given === undefined) return {};
  if (!isJsonObject(given)) {
    problem("image must be an object, such as { base: 'node:24-slim' }; the name of the image is deployment.image");
    return {};
  }
  for (const option of Object.keys(given)) {
    if (options.includes(option)) continue;
    const fix = didYouMean(option, options) || `; use one of ${options.join(', ')}`;
    problem(`unknown option "image.${option}"${fix}`);
  }
  const { base, platforms } = given;
  if (base !== undefined && (typeof base !== 'string' || base === ''))
    problem("image.base must be the name of an image, such as 'node:24-slim'");
  const areNames =
    Array.isArray(platforms) && platforms.length > 0 && platforms.every((each) => typeof each === 'string');
  if (platforms !== undefined && !areNames)
    problem("image.platforms must be a list of platforms, such as ['linux/amd64', 'linux/arm64']");
  return given as ImageConfig;
}
