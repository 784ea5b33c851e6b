import { arch } from 'node:os';
import type { JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';

/** The platform of an image, with Go's names. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
}

/** Go's names of the architectures whose names differ in Node. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };

/** The platform of Linux on this machine's processor. */
export function ownPlatform(): Platform {
  return { os: 'linux', architecture: architectures[arch()] ?? arch() };
}

/** Parses `linux/amd64` or `linux/arm/v7`. Throws `invalid-option`. */
export function parsePlatform(text: string, option: string): Platform {
  const [, os = '', architecture = '', variant] = /^([a-z0-9]+)\/([a-z0-9]+)(?:\/([a-z0-9.]+))?$/.exec(text) ?? [];
  if (os !== 'linux') {
    throw new EvenkeelError(
      'invalid-option',
      `${option}: ${JSON.stringify(text)} is not a platform of Linux; write linux/amd64, linux/arm64 or another architecture`,
    );
  }
  return { os, architecture, ...(variant === undefined ? {} : { variant }) };
}

/** `linux/arm64`. */
export function platformText({ os, architecture, variant }: Platform): string {
  return `${os}/${architecture}${variant === undefined ? '' : `/${variant}`}`;
}

/** The platform in a descriptor or a configuration; undefined if it has none. */
export function platformIn(given: JsonObject | undefined): Platform | undefined {
  const { os, architecture, variant } = given ?? {};
  if (typeof os !== 'string' || typeof architecture !== 'string') return undefined;
  return { os, architecture, ...(typeof variant === 'string' && variant !== '' ? { variant } : {}) };
}

/** Whether an image for `offered` is one for `wanted`. The variant matters only if the user names it; arm64 has one. */
export function isFor(wanted: Platform, offered: Platform): boolean {
  if (wanted.os !== offered.os || wanted.architecture !== offered.architecture) return false;
  if (wanted.variant === undefined || wanted.variant === offered.variant) return true;
  return wanted.architecture === 'arm64' && wanted.variant === 'v8' && offered.variant === undefined;
}
