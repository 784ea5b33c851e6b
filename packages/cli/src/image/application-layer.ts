import { type ImageLayer, layerOf } from './layer.ts';
import { tarEntry } from './tar.ts';

/** The folder of the bundle in the image. */
export const applicationFolder = 'app';

/** Makes the layer with the files of the operator, by their names. */
export async function applicationLayer(
  files: Readonly<Record<string, Buffer>>,
  epochSeconds: number,
): Promise<ImageLayer> {
  const entries = Object.entries(files).map(([name, content]) => tarEntry(`${applicationFolder}/${name}`, content));
  return layerOf([tarEntry(`${applicationFolder}/`), ...entries], epochSeconds);
}
