# What the scripts about R share: Debian's packages in a temporary folder, which is the current one.
#
# each evaluates the expressions on its standard input, one a line, with the base package alone, and prints each with its value.
source "$(dirname "${BASH_SOURCE[0]}")/debian.bash"
unpack r-base-core=4.2.2.20221110-2 libblas3=3.11.0-2 liblapack3=3.11.0-2 libtirpc3=1.3.3+ds-1 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1 libicu72=72.1-3+deb12u1 \
	libpcre2-8-0=10.42-1+deb12u2
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export R_HOME=$dir/root/usr/lib/R R_DEFAULT_PACKAGES=NULL

each() {
	cat >lines.txt
	echo 'for (line in readLines("lines.txt")) cat(line, ": ", paste(format(suppressWarnings(eval(parse(text = line))), digits = 15), collapse = " "), "\n", sep = "")' >main.R
	root/usr/lib/R/bin/exec/R --vanilla --no-echo -f main.R 2>/dev/null | sed '/^cannot find system Renviron$/d'
}
