import { IsHexColor, IsHSL, IsRgbColor } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const rgb = matchOf(
  /rgb\((\d{1,2},){2}25[0-6]\)|rgba\((1[0-9]{2},){3}(0?\.\d\d?|1(\.0)?)\)|rgb\((\d%,){2}100%\)|rgba\((\d{1,2}%,){3}0\)/,
);
const hsl = matchOf(
  /\s?hsla?\(\s{0,2}[+-]?\d{1,3}(\.\d)?(e[+-]?1)?(deg|turn)?(\s?,\s?(\d{1,2}(\.5)?|\.5)%){2}(,\s?0?\.5%?)?\s?\)\s?|HSLA?\(\d{2}rad(\s\d{1,2}%){2}\s?(\/\s[+-]?\.3%?\s?)?\)/,
);

/** Cases of colors.ts. */
export const colorCases = [
  ...casesOf('isHexColor', ['@IsHexColor()', [IsHexColor()], textsNear(matchOf(/#?[0-9a-f]{3,8}/i))]),
  ...casesOf(
    'isRgbColor',
    ['@IsRgbColor()', [IsRgbColor()], textsNear(rgb)],
    ['@IsRgbColor(false)', [IsRgbColor(false)], textsNear(rgb)],
  ),
  ...casesOf('isHSL', ['@IsHSL()', [IsHSL()], textsNear(hsl)]),
];
