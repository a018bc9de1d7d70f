using RedisLatency.Fixtures;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>A service whose first process takes a while to start.</summary>
internal sealed class SlowOnce : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-slow-").FullName;

    public SlowOnce(string project, TimeSpan delay)
    {
        Program = Path.Combine(_folder, project);
        File.WriteAllText(Program, $"""
            #!/bin/sh
            echo >> '{_folder}/starts'
            [ $(wc -l < '{_folder}/starts') -gt 1 ] || sleep {delay.TotalSeconds:0}
            exec '{BuiltProgram.Path}' {string.Join(' ', BuiltProgram.VerbOf(project))} "$@"

            """);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(Program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
    }

    public string Program { get; }

    public int Starts => File.ReadAllLines(Path.Combine(_folder, "starts")).Length;

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
