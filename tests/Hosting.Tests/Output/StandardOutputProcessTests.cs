using System.Diagnostics;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Output;

/// <summary>What becomes of a real process whose standard output takes nothing any more.</summary>
public sealed class StandardOutputProcessTests
{
    [Fact]
    public async Task ReaderThatWentAway_IsNoticedAndTheRunGoesOnToItsReport()
    {
        using var probe = new ProbeProcess("hold=Drain");
        await probe.ReadUntil("phase Drain");

        probe.StopReading();
        probe.Continue();

        (await probe.EndUnread()).ShouldBe(ExitCode.ResultsNotWritten);
    }

    [Fact]
    public async Task FullDisk_IsNoticedAndSaidOnStandardError()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "This system has no /dev/full.");

        var (exitCode, errors) = await Shell($"dotnet '{ProbeProcess.Program}' > /dev/full");

        exitCode.ShouldBe(ExitCode.ResultsNotWritten);
        errors.ShouldStartWith("Standard output: No space left on device");
    }

    [Fact]
    public async Task OutputAndDiagnosticsInOneFile_DoNotOverwriteEachOther()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Needs a POSIX shell.");
        var file = Path.GetTempFileName();
        try
        {
            await Shell($"dotnet '{ProbeProcess.Program}' throw=Measure failure=refused > '{file}' 2>&1");

            var lines = await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken);
            lines[5..9].ShouldBe(["phase Measure", "error: no consumer answered", "phase Drain", "drained"]);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static async Task<(int ExitCode, string Errors)> Shell(string command)
    {
        using var shell = Process.Start(new ProcessStartInfo("sh", ["-c", command]) { RedirectStandardError = true })!;
        var errors = await shell.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await shell.WaitForExitAsync(TestContext.Current.CancellationToken);
        return (shell.ExitCode, errors);
    }
}
