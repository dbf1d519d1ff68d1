# The WebAssembly module, compiled by Debian's emscripten: make -f site/module.mk OUT=build/site-module [-j ..]
#
# SOURCES is where scripts/setup site put the sources of zstd and cJSON, which Debian has as source packages and
# compiled for other processors only. xxhash is complete in its header.
OUT     ?= build/site-module
SOURCES ?= build/site-sources
VERSION ?= $(shell awk '/^project.afterstate VERSION/ { print $$3 }' CMakeLists.txt)

ZSTD  = $(SOURCES)/zstd
CJSON = $(SOURCES)/cjson

# Everything that the routes need; what they do not call, the linker leaves out.
STUDY = age_statistics expected_line hint_answer move_quality outlook policy summary
NEURAL = compute half_weights bf16 levels model neural_file neural_value products
WEB   = catalog game_stream game_upload hint job_pool review routes service table_answers target web_chooser web_error \
        web_searchers web_text
OURS  = $(filter-out src/base/recipe.c src/base/blas.c,$(wildcard src/base/*.c)) $(wildcard src/game/*.c src/search/*.c src/solve/*.c \
        src/ntuple/*.c src/packed/*.c) $(STUDY:%=src/study/%.c) $(WEB:%=src/web/%.c) bench/bench_signature.c \
        $(NEURAL:%=src/neural/%.c) site/plain_products.c site/module.c $(OUT)/row_table.c
THEIRS = $(wildcard $(ZSTD)/lib/common/*.c $(ZSTD)/lib/decompress/*.c $(ZSTD)/lib/compress/*.c) $(CJSON)/cJSON.c
OBJECTS = $(patsubst %.c,$(OUT)/%.o,$(notdir $(OURS) $(THEIRS)))
VPATH = $(sort $(dir $(OURS) $(THEIRS)))

# As in CMakeLists.txt: no fused multiply-add, so that every value is that of every other build, bit for bit.
CFLAGS = -O3 -std=gnu17 -ffp-contract=off -D_GNU_SOURCE -DAFTERSTATE_VERSION='"$(VERSION)"' -DXXH_INLINE_ALL \
         -DZSTD_DISABLE_ASM -I$(OUT)/include -Isrc -Ibench -I$(ZSTD)/lib -MMD -MP
LDFLAGS = -O3 -sMODULARIZE -sEXPORT_NAME=createAfterstate -sENVIRONMENT=web,worker,node -sALLOW_MEMORY_GROWTH \
          -sMAXIMUM_MEMORY=2GB -sFORCE_FILESYSTEM -sEXPORTED_FUNCTIONS=_malloc,_free \
          -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8

# Debian's acorn, which emcc runs with node, lies where Debian's node looks and others do not.
export NODE_PATH := /usr/share/nodejs:$(NODE_PATH)

$(OUT)/afterstate.js: $(OUT)/libours.a
	emcc $(LDFLAGS) $(OUT)/module.o $< -o $@

$(OUT)/libours.a: $(OBJECTS)
	@rm -f $@
	@emar rcs $@ $^

# Matrix products by vectors, which browsers have had since the spring of 2023.
$(OUT)/plain_products.o $(OUT)/products.o $(OUT)/compute.o: CFLAGS += -msimd128

$(OUT)/%.o: %.c $(OUT)/include/ready
	@echo "emcc $<"
	@emcc $(CFLAGS) -c $< -o $@

# Headers of libraries whose own folder is not to be searched: it has those of this system's C library too.
$(OUT)/include/ready:
	@mkdir -p $(OUT)/include/cjson
	@cp $(CJSON)/cJSON.h $(OUT)/include/cjson/
	@cp /usr/include/xxhash.h $(OUT)/include/
	@touch $@

$(OUT)/row_table.c: src/game/generate/generate_row_table.c
	@mkdir -p $(OUT)
	@cc -O1 -std=gnu17 -Isrc $< -o $(OUT)/generate_row_table
	@$(OUT)/generate_row_table $@

-include $(OBJECTS:.o=.d)
