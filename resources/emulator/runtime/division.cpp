// An integer division that the rewriting did not see (a macro of a header, the compiler's own) must not end the process: a
// GPU gives all ones for x / 0 and x % 0 (read from the SASS of sm_90). Here the trapping instruction is given that answer.
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__) && defined(__linux__)

namespace {

struct Division {
    int length;
    int bytes;
    bool is_signed;
};

int operand_length(const uint8_t* at) {    // ModRM, SIB and displacement
    const int mode = at[0] >> 6, field = at[0] & 7;
    if (mode == 3) return 1;
    int length = 1 + (field == 4);
    if (mode == 1) return length + 1;
    if (mode == 2) return length + 4;
    if (field == 5 || (field == 4 && (at[1] & 7) == 5)) return length + 4;
    return length;
}

bool decode(const uint8_t* at, Division* out) {
    const uint8_t* start = at;
    bool wide = false, narrow = false;
    for (; *at == 0x66 || (*at & 0xF0) == 0x40; ++at) {
        if (*at == 0x66) narrow = true;
        else wide = *at & 8;
    }
    if (*at != 0xF6 && *at != 0xF7) return false;
    const int operation = at[1] >> 3 & 7;
    if (operation != 6 && operation != 7) return false;
    out->bytes = *at == 0xF6 ? 1 : (wide ? 8 : (narrow ? 2 : 4));
    out->is_signed = operation == 7;
    out->length = static_cast<int>(at - start) + 1 + operand_length(at + 1);
    return true;
}

}  // namespace

// Returns false when the fault is not an integer division.
bool emulate_division(ucontext_t* context) {
    auto& registers = context->uc_mcontext.gregs;
    Division division;
    if (!decode(reinterpret_cast<const uint8_t*>(registers[REG_RIP]), &division)) return false;
    switch (division.bytes) {
        case 1: registers[REG_RAX] |= 0xFFFF; break;
        case 2: registers[REG_RAX] |= 0xFFFF; registers[REG_RDX] |= 0xFFFF; break;
        case 4: registers[REG_RAX] = 0xFFFFFFFF; registers[REG_RDX] = 0xFFFFFFFF; break;
        default: registers[REG_RAX] = -1; registers[REG_RDX] = -1; break;
    }
    registers[REG_RIP] += division.length;
    return true;
}

#else
bool emulate_division(ucontext_t*) { return false; }
#endif
