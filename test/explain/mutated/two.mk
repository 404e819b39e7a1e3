# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
all: one.o two.x
%.o: %.c
	@echo building $@ from $< with stem $*
%.x: %.c
	@echo other $*
%.c:
	@:
