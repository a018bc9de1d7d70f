using System.Text.RegularExpressions;

namespace RedisLatency.Architecture.Interop;

/// <summary>
/// Calls into the system's library are few, lie in known files, and say how their errors are read: a wrong one
/// corrupts memory or, worse here, a number.
/// </summary>
public sealed partial class NativeCallTests
{
    private static readonly string[] Places =
    [
        "Hosting/Output/DescriptorStream.cs",
        "Hosting/Output/Keyboard.cs",
        "Peers/Datagrams/UdpSocketCalls.cs",
        "Hosting/Running/ProcessLimits.cs",
        "Hosting/Running/ThreadAffinity.cs",
        "Hosting/Running/ProcessEnd.cs",
        "Metrics/HostClocks/KernelClaim.cs",
        "Metrics/Clocks/Pacer.cs",
        "Metrics/Machine/MeasuringThreads.cs",
        "Metrics/Machine/ThreadProcessorTime.cs",
        "Metrics/Results/ExclusiveFolder.cs",
        "Redis/EventLoops/LinuxCalls.cs",
        "Redis/EventLoops/EventFile.cs",
        "Server/Commands/ThreadTimes.cs",
    ];

    [Fact]
    public void NativeCalls_LieInKnownFiles() =>
        NativeCall.All.Select(call => call.File.FilePath).Distinct().ShouldBe(Places, ignoreOrder: true);

    [Fact]
    public void NativeCalls_AreAllUnderstoodByTheseTests()
    {
        // Counts the attributes without looking at what follows, so that a form the parser misses is noticed.
        var attributes = SourceFile.OfProduct.Sum(file => Import().Count(file.Text));

        NativeCall.All.Count.ShouldBe(attributes);
    }

    [Fact]
    public void Calls_MarshalledByTheRuntime_CarryOnlyNumbersAndPointers()
    {
        // The send and receive calls of the measured loop are of this kind: the stub must be a bare jump.
        var others = NativeCall.All
            .Where(call => call.IsMarshalledByRuntime && !OnlyNumbersAndPointers().IsMatch(call.Signature));

        others.Select(call => call.ToString()).ShouldBeEmpty();
    }

    [Fact]
    public void Calls_MarshalledByTheRuntime_LeaveTheErrorNumberInPlace()
    {
        // Saving it costs on every call; their callers read Marshal.GetLastSystemError() where a call failed.
        NativeCall.All.Where(call => call.IsMarshalledByRuntime && call.SetsLastError)
            .Select(call => call.ToString()).ShouldBeEmpty();
    }

    [Fact]
    public void SavedErrorNumbers_AreReadOnlyWhereACallSavesThem()
    {
        var saving = NativeCall.All.Where(call => call.SetsLastError).Select(call => call.File).ToHashSet();
        var reading = SourceFile.OfProduct.Where(file => SavedError().IsMatch(file.Text));

        reading.Except(saving).Select(file => file.ToString()).ShouldBeEmpty();
    }

    [Fact]
    public void NoCall_HidesFromTheCollector()
    {
        // A collection waits for a thread that entered the system without saying so: it would become the latency.
        SourceFile.OfProduct.Where(file => file.Text.Contains("SuppressGCTransition", StringComparison.Ordinal))
            .Select(file => file.ToString()).ShouldBeEmpty();
    }

    [Fact]
    public void NativeCalls_StayInTheirProject()
    {
        var open = NativeCall.All
            .Where(call => call.Signature.StartsWith("public", StringComparison.Ordinal))
            .Where(call => call.File.Lines.Any(line => line.StartsWith("public ", StringComparison.Ordinal)));

        open.Select(call => call.ToString()).ShouldBeEmpty();
    }

    [GeneratedRegex(@"\[(?:DllImport|LibraryImport)\(")]
    private static partial Regex Import();

    [GeneratedRegex(@"GetLast(?:PInvokeError|Win32Error)")]
    private static partial Regex SavedError();

    [GeneratedRegex(
        @"^(?:public|private|internal) static extern (?:n?int|nuint|uint|long|void) \w+\(\s*"
        + @"(?:(?:, )?(?:n?u?int|u?long|ushort|(?:void|byte|uint|long|[A-Z]\w+)\*) \w+)*\);$")]
    private static partial Regex OnlyNumbersAndPointers();
}
