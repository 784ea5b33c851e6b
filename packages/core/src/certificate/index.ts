// For servers that serve HTTPS with their own certificates.
export { CertificateAuthority, type CertificateRequest, type IssuedCertificate } from './certificate-authority.ts';
