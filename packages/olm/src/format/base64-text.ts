import { decodeBase64 } from '@evenkeel/apimachinery/base64';

/** Whether a text is base64 with padding, as Go reads it. */
export function isBase64(text: string): boolean {
  try {
    decodeBase64(text);
    return true;
  } catch {
    return false;
  }
}
