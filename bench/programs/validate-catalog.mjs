// Validates a catalog as `evenkeel catalog validate` does, and prints the most memory that the process had.
import { validateCatalog } from '@evenkeel/olm';

const { bundles, findings } = await validateCatalog(process.argv[2]);
console.log(JSON.stringify({ bundles, findings: findings.length, residentMB: process.resourceUsage().maxRSS / 1000 }));
