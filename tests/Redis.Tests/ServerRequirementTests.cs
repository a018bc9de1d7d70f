using RedisLatency.Fixtures;

namespace RedisLatency.Redis.Tests;

/// <summary>What is said of a server program that cannot be used.</summary>
public sealed class ServerRequirementTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-requirement-").FullName;

    [Fact]
    public async Task ProgramThatIsMissing_IsSaidWithWhatInstallsIt()
    {
        var problem = await Should.ThrowAsync<InvalidOperationException>(() => RedisServerProcess.Start("no-such-server"));

        problem.Message.ShouldEndWith("no-such-server is missing: apt-get install no-such-server, or run ./test.");
        ServerRequirement.IsAboutProgram(problem.Message).ShouldBeTrue();
    }

    [Fact]
    public async Task ProgramThatEndsAtOnce_IsSaidWithWhatToDo()
    {
        var program = Script("exit 3");

        var problem = await Should.ThrowAsync<InvalidOperationException>(() => RedisServerProcess.Start(program));

        problem.Message.ShouldEndWith(
            $"{program} does not start (--version ends with exit code 3): put another first in PATH, or "
            + "apt-get install --reinstall redis-server.");
    }

    [Fact]
    public async Task ProgramThatEndsInsteadOfListening_IsSaidWithItsLastWords()
    {
        var program = Script("[ \"$1\" = --version ] && exit; echo no memory; exit 7");

        var problem = await Should.ThrowAsync<InvalidOperationException>(() => RedisServerProcess.Start(program));

        problem.Message.ShouldStartWith($"{program} ended with exit code 7 instead of listening on port ");
        problem.Message.ShouldContain("no memory");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Script(string text)
    {
        var path = Path.Combine(_folder, "redis-server");
        File.WriteAllText(path, $"#!/bin/sh\n{text}\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        return path;
    }
}
