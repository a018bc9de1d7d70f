using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Testing.Platform.Builder;
using Microsoft.Testing.Platform.Extensions;
using Microsoft.Testing.Platform.Extensions.Messages;
using Microsoft.Testing.Platform.Messages;
using Microsoft.Testing.Platform.Services;

namespace RedisLatency.Fixtures;

/// <summary>Ends a run with a line that says what to install, where tests were skipped for a missing program.</summary>
/// <remarks>
/// <c>dotnet test</c> shows nothing that a passing test program prints, but it does list the files that one has made,
/// last of all: the line is the name of a file. The first test program of a run that skips something makes it.
/// </remarks>
internal sealed class SkippedTestsLine(IMessageBus bus) : IDataConsumer, IDataProducer
{
    private bool _isSaid;

    public string Uid => nameof(SkippedTestsLine);

    public string Version => "1";

    public string DisplayName => Uid;

    public string Description => "What to install for the tests that were skipped";

    public Type[] DataTypesConsumed => [typeof(TestNodeUpdateMessage)];

    public Type[] DataTypesProduced => [typeof(SessionFileArtifact)];

    public Task<bool> IsEnabledAsync() => Task.FromResult(true);

    public async Task ConsumeAsync(IDataProducer dataProducer, IData value, CancellationToken cancellationToken)
    {
        var update = (TestNodeUpdateMessage)value;
        if (_isSaid || update.TestNode.Properties.SingleOrDefault<SkippedTestNodeStateProperty>()?.Explanation is not
            { } reason || !ServerRequirement.IsAboutProgram(reason))
            return;
        _isSaid = true;
        var file = new FileInfo(RepositoryRoot.Combine("artifacts", ServerRequirement.Advice()));
        if (IsFirst(file))
            await bus.PublishAsync(this, new SessionFileArtifact(update.SessionUid, file, DisplayName, reason));
    }

    // The file holds the process that it was made for.
    private static bool IsFirst(FileInfo file)
    {
        try
        {
            var run = Run().ToString(CultureInfo.InvariantCulture);
            using var stream = file.Open(FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            if (new StreamReader(stream).ReadToEnd() == run)
                return false;
            stream.SetLength(0);
            stream.Write(System.Text.Encoding.ASCII.GetBytes(run));
            return true;
        }
        catch (IOException)
        {
            // Another one makes it now.
            return false;
        }
    }

    // `dotnet test` starts all test programs of a run.
    private static int Run() =>
        !OperatingSystem.IsWindows() && Environment.GetCommandLineArgs().Contains("--dotnet-test-pipe")
            ? ParentId()
            : Environment.ProcessId;

    [DllImport("libc", EntryPoint = "getppid")]
    private static extern int ParentId();
}

/// <summary>Named in <c>Directory.Build.targets</c>.</summary>
internal static class SkippedTestsLineHook
{
    public static void AddExtensions(ITestApplicationBuilder builder, string[] _) =>
        builder.TestHost.AddDataConsumer(services => new SkippedTestsLine(services.GetMessageBus()));
}
