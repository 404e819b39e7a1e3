; The frame is a private constant in a section that is not loaded, kept from the optimiser and from
; AddressSanitizer; without the metadata option nothing is captured.
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes='culprit-capture,culprit-embed' '-culprit-capture={"arguments":["-O2"]}' -S %s | FileCheck %s
; CHECK: @culprit.frame = private constant [{{[0-9]+}} x i8] c"\7FCULPRIT{{.*}}, section ".llvmcmd", no_sanitize_address, no_sanitize_hwaddress, align 8
; CHECK: @llvm.compiler.used = appending global [1 x ptr] [ptr @culprit.frame]
; RUN: opt -load-pass-plugin=%plugin -passes='default<O2>' -S %s | FileCheck --check-prefix=NOTHING %s
; NOTHING-NOT: {{culprit.frame|llvmcmd}}
source_filename = "capture.c"
define i32 @f(i32 %n) {
  ret i32 %n
}
