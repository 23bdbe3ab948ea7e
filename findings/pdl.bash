# What the scripts about PDL share: Debian's packages in a temporary folder, which is the current one.
#
# each evaluates the expressions on its standard input, one a line, and prints each with its value and its type.
source "$(dirname "${BASH_SOURCE[0]}")/debian.bash"
unpack pdl=1:2.081-2 libfile-which-perl=1.27-2 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1 libgsl27=2.7.1+dfsg-5+deb12u1 libgslcblas0=2.7.1+dfsg-5+deb12u1 \
	libhdf4-0-alt=4.2.15-5 libpod-parser-perl=1.65-1 libterm-readkey-perl=2.38-2+b1 libtext-balanced-perl=2.06-2
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export PERL5LIB=$(find "$PWD/root/usr/lib" -type d -path '*/perl5/5.*' -name '5.*' | paste -sd:):$PWD/root/usr/share/perl5

each() {
	/usr/bin/perl -e 'use PDL; use PDL::ImageND; while (my $e = <STDIN>) { chomp $e; my $r = eval $e; (my $s = "$r") =~ s/\s+/ /g; print "$e: $s ", $r->type, "\n" }'
}
