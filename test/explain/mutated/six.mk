# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
all: one.o six.x
%.o: %.c
	@echo building $@ from $< with stem $*
%.x: %.c
	@echo other $*
%.c:
	@:
