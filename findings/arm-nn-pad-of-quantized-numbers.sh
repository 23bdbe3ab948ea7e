#!/usr/bin/env bash
# Arm NN: a quantized tensor whose zero is stored as 7 is padded with what is stored as 0, which is -3.5, and not with 0.
#
# The value of a PadDescriptor is a float, 0 by default, and the tensor has a scale, 0.5, and an offset, 7. One would expect the value to be quantized like all others, so
# that 0 is stored as 7 and 3.0 as 13. Seen: it is converted to an integer as it is, 0 and 3, which stand for -3.5 and -2. For floats it is what was given.
# Seen in python3-pyarmnn and libarmnn-cpuref-backend22 20.08-12 of Debian.
source "$(dirname "$0")/debian.bash"
unpack python3-pyarmnn=20.08-12 libarmnn22=20.08-12 libarmnn-cpuref-backend22=20.08-12 libarmnntfliteparser22=20.08-12 libflatbuffers2=2.0.8+dfsg1-2 \
	python3-numpy=1:1.24.2-1+deb12u1 libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -not -path '*dist-packages*' -printf '%h\n' | sort -u | paste -sd:)
cat >main.py <<'PROGRAM'
import os

import numpy as np
import pyarmnn as ann

def pad(kind, dtype, values, value, scale=None, offset=None):
    def info(shape):
        i = ann.TensorInfo(ann.TensorShape(shape), kind)
        if scale:
            i.SetQuantizationScale(scale)
            i.SetQuantizationOffset(offset)
        return i
    options = ann.CreationOptions()
    options.m_DynamicBackendsPath = os.getcwd() + '/root/usr/lib/x86_64-linux-gnu/armnn22'
    runtime = ann.IRuntime(options)
    net = ann.INetwork()
    x, layer, y = net.AddInputLayer(0), net.AddPadLayer(ann.PadDescriptor([(1, 1)], value)), net.AddOutputLayer(0)
    x.GetOutputSlot(0).SetTensorInfo(info((2,)))
    x.GetOutputSlot(0).Connect(layer.GetInputSlot(0))
    layer.GetOutputSlot(0).SetTensorInfo(info((4,)))
    layer.GetOutputSlot(0).Connect(y.GetInputSlot(0))
    network, _ = ann.Optimize(net, [ann.BackendId('CpuRef')], runtime.GetDeviceSpec(), ann.OptimizerOptions())
    n, _ = runtime.LoadNetwork(network)
    inputs = ann.make_input_tensors([(0, runtime.GetInputTensorInfo(n, 0))], [np.array(values, dtype)])
    outputs = ann.make_output_tensors([(0, runtime.GetOutputTensorInfo(n, 0))])
    runtime.EnqueueWorkload(n, inputs, outputs)
    return ann.workload_tensors_to_ndarray(outputs)[0].tolist()

print('floats:', pad(ann.DataType_Float32, np.float32, [1, 2], 3.0))
for value in (0.0, 3.0):
    stored = pad(ann.DataType_QAsymmS8, np.int8, [9, 11], value, 0.5, 7)
    print(f'with {value}: stored {stored}, which is {[(n - 7) * 0.5 for n in stored]}')
PROGRAM
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore main.py | tee out
diff out - <<'OUT'
floats: [3.0, 1.0, 2.0, 3.0]
with 0.0: stored [0, 9, 11, 0], which is [-3.5, 1.0, 2.0, -3.5]
with 3.0: stored [3, 9, 11, 3], which is [-2.0, 1.0, 2.0, -2.0]
OUT
echo 'as found: padding with 0 is padding with -3.5'
