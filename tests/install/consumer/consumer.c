/* A program that uses the installed library, built by check_install. */
#include <stdio.h>

#include <afterstate/afterstate.h>

int main(void)
{
    return puts(as_version()) < 0;
}
