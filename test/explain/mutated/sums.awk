# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
{ sum[$2] += $3; n[$1]++ }
END { for (k in sum) s += sum[k]; print s, length(n) }
