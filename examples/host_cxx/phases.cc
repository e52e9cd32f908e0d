// SPDX-License-Identifier: BSD-3-Clause
// A host in C++11: links the phases of one point of a radar stack from its coherences.
#include <headgate/headgate.h>

#include <complex>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(int status)
{
    if (status != HGATE_OK) {
        throw std::runtime_error(std::string(hgate_status_name(status)) + ": " +
                                 hgate_last_error());
    }
}

using Engine = std::unique_ptr<hgate_engine, void (*)(hgate_engine *)>;

Engine open_engine()
{
    hgate_engine *engine = nullptr;
    check(hgate_open(nullptr, &engine));
    return Engine(engine, hgate_close);
}

// A row-major array that describes itself as a DLTensor.
struct Array {
    std::vector<std::complex<double>> values;
    std::vector<int64_t> shape;

    DLTensor tensor()
    {
        DLTensor t{};
        t.data = values.data();
        t.device.device_type = kDLCPU;
        t.ndim = static_cast<int>(shape.size());
        t.dtype = {kDLComplex, 128, 1};
        t.shape = shape.data();
        return t;
    }
};

} // namespace

int main()
try {
    // One point, three images with the phases 0, 0.5 and -0.25, which are printed: coherences of
    // the pairs (0,1), (0,2), (1,2).
    Array coh{{std::polar(0.9, -0.5), std::polar(0.8, 0.25), std::polar(0.7, 0.75)}, {1, 3}};
    Array phase{std::vector<std::complex<double>>(3), {1, 3}};

    Engine engine = open_engine();
    DLTensor coh_tensor = coh.tensor(), phase_tensor = phase.tensor();
    check(hgate_emi(engine.get(), nullptr, nullptr, &coh_tensor, &phase_tensor, nullptr, nullptr,
                    nullptr));
    for (const std::complex<double> &value : phase.values) {
        std::printf("%.6f\n", std::arg(value));
    }
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
