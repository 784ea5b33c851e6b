import { IsString } from 'class-validator';

/** Where copies go. */
export class Backup {
  @IsString()
  bucket!: string;

  /** How often. */
  every: 'hour' | 'day' | undefined;
}
